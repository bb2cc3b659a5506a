/**
 * Every control in every state, at /gallery of `npm run dev`; not in the build. The rules are in
 * docs/design.md.
 */
import { useAtom } from 'jotai';
import { Bell, Check, Phone, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { sunModeAtom } from '#state/display.ts';
import { Badge, type BadgeTone } from '#ui/badge.tsx';
import { Button, type ButtonTone, IconButton } from '#ui/button.tsx';
import { Card, CardSkeletons, Fact, Facts, Notice, RetryNotice, Skeletons } from '#ui/card.tsx';
import { PanelDialog, QuestionDialog } from '#ui/dialog.tsx';
import { Disclosure } from '#ui/disclosure.tsx';
import { Checkbox, Form, SelectField, Submit, TextAreaField, TextField } from '#ui/field.tsx';
import { Frame } from '#ui/frame.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import { Screen } from '#ui/screen.tsx';
import { SearchField } from '#ui/search-field.tsx';
import layout from '#ui/stack.module.css';
import {
  askInToast,
  prepareToasts,
  showError,
  showInfo,
  showSuccess,
  ToastHost,
} from '#ui/toast.tsx';

const longName = 'Oluwaseun Chukwuemeka Abdulrahman-Okonkwo';
const tones: ButtonTone[] = ['accent', 'primary', 'quiet', 'danger', 'destructive', 'plain'];
const badgeTones: BadgeTone[] = ['neutral', 'good', 'warn', 'bad'];
const sizes = ['small', 'body', 'large', 'title', 'head', 'display'];
const colours = [
  ...['ground', 'page', 'surface', 'sunken', 'line', 'control-line', 'ink', 'ink-soft'],
  ...['primary', 'primary-faint', 'link', 'accent', 'good', 'good-faint', 'warn', 'warn-faint'],
  ...['bad', 'bad-faint', 'ring', 'brand', 'marigold', 'toast'],
];

function Tokens() {
  return (
    <Card title="Type, space, colour">
      {sizes.map((size) => (
        <p key={size} style={{ fontSize: `var(--type-${size})` }}>
          {size} ₦9,999,999 {longName}
        </p>
      ))}
      {[1, 2, 3].map((step) => (
        <div
          key={step}
          style={{ height: `var(--space-${step})`, background: 'var(--primary)' }}
          title={`space-${step}`}
        />
      ))}
      <div className={layout.row}>
        {colours.map((name) => (
          <span key={name} style={{ borderLeft: `1.5rem solid var(--${name})`, paddingLeft: 8 }}>
            {name}
          </span>
        ))}
      </div>
    </Card>
  );
}

function Buttons() {
  return (
    <Card title="Buttons">
      {tones.map((tone) => (
        <div key={tone} className={layout.actions}>
          <Button tone={tone}>{tone}</Button>
          <Button tone={tone} isBusy>
            busy
          </Button>
          <Button tone={tone} disabled>
            disabled
          </Button>
        </div>
      ))}
      <Button tone="accent" isWide>
        Accept the delivery of {longName}
      </Button>
      <div className={layout.row}>
        <IconButton label="Call" icon={<Phone aria-hidden />} />
        <IconButton label="Call" icon={<Phone aria-hidden />} isFloating />
        <IconButton label="Delete" icon={<Trash2 aria-hidden />} disabled />
        {badgeTones.map((tone) => (
          <Badge key={tone} tone={tone} icon={<Check aria-hidden size={16} />}>
            {tone}
          </Badge>
        ))}
      </div>
    </Card>
  );
}

const choices = [
  { value: 'wallet', label: 'Pay from balance' },
  { value: 'cash', label: 'Cash' },
  { value: 'card', label: 'Card', isDisabled: true },
];

function Fields() {
  const [values, setValues] = useState<Record<string, string>>({ long: longName });
  const [isChecked, setIsChecked] = useState(true);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const field = (name: string, label: string) => ({
    name,
    label,
    value: values[name] ?? '',
    error: errors[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  });
  return (
    <Card title="Fields">
      <Form
        errors={errors}
        message={errors.form}
        onSubmit={() =>
          setErrors({ wrong: 'This field is required.', form: 'Please check the form.' })
        }
        actions={<Submit words={{ save: 'Save', busy: 'Saving…' }} />}
      >
        <TextField {...field('text', 'Text')} placeholder="Placeholder" />
        <TextField {...field('long', 'With a hint')} hint="What is expected, and an example." />
        <TextField {...field('wrong', 'With an error, after Save')} />
        <TextField
          {...field('when', 'Date')}
          type="datetime-local"
          halfTyped="Enter a full date."
        />
        <PasswordField {...field('password', 'Password')} showLabel="Show password" />
        <TextAreaField {...field('area', 'Several lines')} aside="Optional" />
        <SelectField {...field('choice', 'Choice')} choices={choices} />
        <Checkbox label="Checkbox" hint="Hint" isChecked={isChecked} onChange={setIsChecked} />
        <RadioGroup legend="One of several">
          {choices.map(({ value, label }) => (
            <RadioChoice
              key={value}
              name="radio"
              label={label}
              note="₦9,999,999"
              isChosen={values.radio === value}
              onChoose={() => setValues((before) => ({ ...before, radio: value }))}
            />
          ))}
        </RadioGroup>
      </Form>
      <SearchField
        {...field('search', 'Search')}
        clearLabel="Clear"
        placeholder="Search packages"
      />
    </Card>
  );
}

function Placeholders() {
  return (
    <Card title="Empty, failed, loading">
      <Notice icon={<Bell aria-hidden />} title="No pending packages." text="One sentence.">
        <Button>What leads on</Button>
      </Notice>
      <RetryNotice
        icon={<Bell aria-hidden />}
        title="The list could not be loaded."
        label="Retry"
        isBusy={false}
        onRetry={hush}
      />
      <Skeletons label="Loading" />
      <CardSkeletons label="Loading" count={1} />
    </Card>
  );
}

function hush() {
  // The gallery's buttons lead nowhere.
}

const asked = { confirmLabel: 'Yes', cancelLabel: 'No', durationMs: 10_000 };

function Overlays() {
  const [open, setOpen] = useState('');
  const close = () => setOpen('');
  const question = { title: 'Delete this package?', text: 'It cannot be undone.' };
  return (
    <Card title="Over the screen">
      <div className={layout.actions}>
        <Button onClick={() => showSuccess('Delivery accepted')}>Success</Button>
        <Button onClick={() => showError(`Not sent: ${longName}`)}>Error</Button>
        <Button onClick={() => showInfo('Saved', { action: { label: 'Undo', onAct: hush } })}>
          With an action
        </Button>
        <Button onClick={() => askInToast({ ...question, ...asked }, hush)}>Question</Button>
        <Button onClick={() => setOpen('question')}>Question dialog</Button>
        <Button onClick={() => setOpen('panel')}>Panel</Button>
      </div>
      <Disclosure label="Disclosure">
        {(shut) => <Button onClick={shut}>Close what was opened</Button>}
      </Disclosure>
      {open === 'question' && (
        <QuestionDialog {...question} {...asked} onCancel={close} onConfirm={close} />
      )}
      {open === 'panel' && (
        <PanelDialog title="Panel" onClose={close}>
          <Button onClick={close}>Close</Button>
        </PanelDialog>
      )}
    </Card>
  );
}

function Bar(): ReactNode {
  return (
    <>
      <Button tone="quiet">Call</Button>
      <Button tone="quiet">Navigate</Button>
      <Button tone="accent">Package Delivered</Button>
    </>
  );
}

export function Gallery() {
  const [isSunMode, setSunMode] = useAtom(sunModeAtom);
  prepareToasts();
  return (
    <MemoryRouter>
      <Frame>
        <Screen title="Gallery" actions={<Bar />}>
          <Checkbox label="Sun mode" isChecked={isSunMode} onChange={setSunMode} />
          <Tokens />
          <Buttons />
          <Fields />
          <Card title="Facts" aside={<Badge tone="warn">Late</Badge>}>
            <Facts>
              <Fact label="Sender">{longName}</Fact>
              <Fact label="Price">₦9,999,999</Fact>
            </Facts>
          </Card>
          <Placeholders />
          <Overlays />
        </Screen>
      </Frame>
      <ToastHost />
    </MemoryRouter>
  );
}
