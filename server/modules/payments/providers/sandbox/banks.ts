/** Banks of the sandbox, with their real names and codes, and the names of who has accounts there. */
import type { Bank } from '#contract/payout.ts';

export const sandboxBanks: readonly Bank[] = [
  { code: '044', name: 'Access Bank' },
  { code: '011', name: 'First Bank of Nigeria' },
  { code: '058', name: 'Guaranty Trust Bank' },
  { code: '50211', name: 'Kuda Bank' },
  { code: '50515', name: 'Moniepoint MFB' },
  { code: '999992', name: 'OPay Digital Services Limited (OPay)' },
  { code: '999991', name: 'PalmPay' },
  { code: '033', name: 'United Bank For Africa' },
  { code: '057', name: 'Zenith Bank' },
];

const holders = [
  'AMINA YUSUF BELLO',
  'CHINEDU OKAFOR',
  'FATIMA ABUBAKAR SANI',
  'IBRAHIM MUSA DANJUMA',
  'NGOZI ADAEZE EZE',
  'OLUWASEUN BABATUNDE ADEYEMI',
  'SADIQ UMAR',
] as const;

/** The same for a number, whenever it is asked. */
export function holderOf(accountNumber: string): string {
  return holders[Number(accountNumber) % holders.length] ?? holders[0];
}
