import { useState } from 'react';
import { useServerCall } from '#data/use-server-call.ts';
import { useTerms } from '#data/use-terms.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import { account as words } from '#messages/en/account.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { showError } from '#ui/toast.tsx';

/** Asks for it while it is not confirmed, without insisting. */
export function ConfirmEmailCard({ userId }: { userId: string }) {
  // By the server's row: it mails to no e-mail that is still waiting here.
  const self = useMirroredUser(userId);
  const { call, isBusy } = useServerCall();
  const [sentTo, setSentTo] = useState('');
  const { hasMail } = useTerms();
  if (!hasMail || !self?.email || self.emailConfirmed !== false) return null;
  const { email } = self;
  const send = async () => {
    const called = await call('confirmation', email, (api, key) => api.sendConfirmation(key));
    if (called.kind === 'done') return setSentTo(email);
    const said = { needsNetwork: words.needsNetwork, otherwise: words.confirmEmail.failure };
    showError(sentenceOfFailure(called.failure, said));
  };
  return (
    <Card title={words.confirmEmail.title}>
      {sentTo === email ? (
        <p role="status">{words.confirmEmail.sent(email)}</p>
      ) : (
        <>
          <p>{words.confirmEmail.text(email)}</p>
          <Button tone="quiet" isBusy={isBusy} onClick={() => void send()}>
            {isBusy ? words.confirmEmail.busy : words.confirmEmail.send}
          </Button>
        </>
      )}
    </Card>
  );
}
