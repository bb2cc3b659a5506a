import { useState } from 'react';
import { type Role, roles } from '#contract/user.ts';
import { roleOf, type User } from '#domain/user.ts';
import { usePatchUser } from '#features/users/hooks/use-call.ts';
import { fields } from '#messages/en/fields.ts';
import { users as words } from '#messages/en/users.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Form, SelectField } from '#ui/field.tsx';
import { showInfo } from '#ui/toast.tsx';
import { useForm } from '#ui/use-form.ts';

export const roleChoices = roles.map((role) => ({ value: role, label: words.roles[role] }));

/** The effective role (domain `roleOf`); a new one replaces it. */
export function RoleCard({ user, isSelf }: { user: User; isSelf: boolean }) {
  const [base, setBase] = useState(user);
  const [chosen, setChosen] = useState<Role | null>(null);
  const present = roleOf(base.roles);
  const role = chosen ?? present;
  const restart = (from: User) => {
    setBase(from);
    setChosen(null);
  };
  const patch = usePatchUser(restart);
  const form = useForm({
    values: { role },
    onChange: ({ role: text }) => setChosen(roles.find((one) => one === text) ?? null),
    submit: async () => {
      if (role === present) {
        showInfo(words.profile.nothing);
        return {};
      }
      const body = { id: user.id, roles: [role], baseVersion: base.version };
      const { fields: complained, message } = await patch(body, (current) => {
        restart(current);
        return { fields: { roles: words.role.changed(words.roles[roleOf(current.roles)]) } };
      });
      const complaint = complained?.roles ?? message;
      return complaint === undefined ? {} : { fields: { role: complaint } };
    },
  });
  // Not while a choice is open: if another admin changed the role, the server reports the conflict.
  if (user.version > base.version && !form.isBusy && chosen === null) setBase(user);

  return (
    <Card title={words.role.title}>
      <Form
        {...form.props}
        actions={
          <Button type="submit" tone="quiet" isBusy={form.isBusy}>
            {form.isBusy ? words.profile.busy : words.role.save}
          </Button>
        }
      >
        <SelectField
          label={fields.labels.role}
          choices={roleChoices}
          hint={isSelf && present === 'Admin' ? words.role.own : undefined}
          {...form.field('role')}
        />
      </Form>
    </Card>
  );
}
