/**
 * Codes of six digits that people read to each other: five of chance and a check digit by Damm's
 * algorithm, which catches every wrong digit and every pair swapped, on the phone, which does not
 * know the code.
 */
const table = [
  '0317598642',
  '7092154863',
  '4206871359',
  '1750983426',
  '6123045978',
  '3674209581',
  '5869720134',
  '8945362017',
  '9438617205',
  '2581436790',
];

const step = (interim: number, digit: string) => Number(table[interim]?.[Number(digit)]);
const interimOf = (digits: string) => [...digits].reduce(step, 0);

export const codeDigits = 6;

/** '12345' with its check digit. */
export function withCheckDigit(digits: string): string {
  return `${digits}${interimOf(digits)}`;
}

/** '123 456', grouped for reading aloud. */
export const groupedCode = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** Could this be a code? */
export function isCode(text: string): boolean {
  return new RegExp(`^\\d{${codeDigits}}$`).test(text) && interimOf(text) === 0;
}
