import { relations } from '#contract/event.ts';
import { limits } from '#contract/fields.ts';
import { fields } from '#messages/en/fields.ts';
import { proof as words } from '#messages/en/proof.ts';
import type { DeliveryDraft } from '#state/delivery-draft.ts';
import { TextField } from '#ui/field.tsx';
import { ChipChoice, Chips, RadioGroup } from '#ui/radio-choice.tsx';

interface WhoFieldsProps {
  recipient: string;
  draft: DeliveryDraft;
  change(changes: Partial<DeliveryDraft>): void;
  errors: Readonly<Record<string, string>>;
  isOptional: boolean;
}

export function WhoFields({ recipient, draft, change, errors, isOptional }: WhoFieldsProps) {
  const { recipientName: name } = draft;
  // Their name is known; another's is asked for.
  const nameFor = (relation: string) => {
    if (relation === 'recipient') return name || recipient.slice(0, limits.name);
    return draft.relation === 'recipient' && name === recipient ? '' : name;
  };
  return (
    <>
      <RadioGroup
        legend={isOptional ? fields.isOptional(words.who.relation) : words.who.relation}
        name="relation"
        error={errors.relation}
      >
        <Chips>
          {relations.map((relation) => (
            <ChipChoice
              key={relation}
              name="relation"
              label={words.who.relations[relation]}
              isChosen={draft.relation === relation}
              onChoose={() => change({ relation, recipientName: nameFor(relation) })}
            />
          ))}
        </Chips>
      </RadioGroup>
      <TextField
        label={words.who.name}
        name="recipientName"
        aside={isOptional ? fields.optional : undefined}
        value={name}
        onChange={(recipientName) => change({ recipientName })}
        maxLength={limits.name}
        autoComplete="off"
        autoCapitalize="words"
        error={errors.recipientName}
      />
    </>
  );
}
