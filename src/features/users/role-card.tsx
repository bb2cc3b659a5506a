import { useState } from 'react';
import { type Role, roles } from '#contract/user.ts';
import { roleOf, type User } from '#domain/user.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Form, SelectField } from '#ui/field.tsx';
import { showInfo, showSuccess } from '#ui/toast.tsx';
import { failureSentence, useCall } from './use-call.ts';
import { words } from './words.ts';

export const roleChoices = roles.map((role) => ({ value: role, label: words.roles[role] }));

/** The one role that counts (domain `roleOf`); giving another takes the former. */
export function RoleCard({ user, isSelf }: { user: User; isSelf: boolean }) {
  const [base, setBase] = useState(user);
  const [chosen, setChosen] = useState<Role | null>(null);
  const [error, setError] = useState('');
  const { call, isBusy } = useCall();
  const present = roleOf(base.roles);
  const role = chosen ?? present;
  // Not under a choice that was made on the former: the server says so where another made one too.
  if (user.version > base.version && !isBusy && chosen === null) setBase(user);

  const submit = async () => {
    if (isBusy) return;
    setError('');
    if (role === present) return showInfo(words.profile.nothing);
    const body = { id: user.id, roles: [role], baseVersion: base.version };
    const called = await call(body.id, body, (api, key) => api.patchUser(body, key));
    if (called.kind === 'done') {
      setBase(called.user);
      setChosen(null);
      return showSuccess(words.profile.success);
    }
    const { failure, current } = called;
    if (failure?.code === 'conflict' && current) {
      setBase(current);
      setChosen(null);
      return setError(words.role.changed(words.roles[roleOf(current.roles)]));
    }
    setError(failure?.fields?.roles ?? failureSentence(failure, words.profile.failure));
  };

  return (
    <Card title={words.role.title}>
      <Form
        onSubmit={() => void submit()}
        errors={error ? { role: error } : {}}
        actions={
          <Button type="submit" tone="quiet" isBusy={isBusy}>
            {isBusy ? words.profile.busy : words.role.save}
          </Button>
        }
      >
        <SelectField
          label={words.fields.role}
          name="role"
          value={role}
          choices={roleChoices}
          onChange={(text) => setChosen(roles.find((one) => one === text) ?? null)}
          error={error || undefined}
          hint={isSelf && present === 'Admin' ? words.role.own : undefined}
        />
      </Form>
    </Card>
  );
}
