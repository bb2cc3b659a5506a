import { Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { payments as words } from '#messages/en/payments.ts';
import { Button, type ButtonTone, buttonClass } from '#ui/button.tsx';

/** Leads to the deposit, which needs the network. */
export function AddFunds({ isOffline, tone }: { isOffline: boolean; tone: ButtonTone }) {
  if (isOffline) {
    return (
      <Button tone="quiet" disabled>
        {words.payment.addFundsOnline}
      </Button>
    );
  }
  return (
    <Link className={buttonClass(tone)} to="/deposit">
      <Plus aria-hidden size={20} />
      {words.payment.addFunds}
    </Link>
  );
}
