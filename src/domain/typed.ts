/**
 * '₦2,500.50', 'N2500.5' or '2 500.50' → 2500.5. NaN for what is not an amount here: '1e3',
 * '0x1F4', and ambiguous commas ('1,5', '2.500,00').
 */
export function typedPrice(text: string): number | undefined {
  const price = text
    .replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/^([+-]?)(₦|NGN|N)/i, '$1');
  if (price === '') return undefined;
  const isAmount = /^[+-]?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?$/.test(price) && /\d/.test(price);
  return isAmount ? Number(price.replaceAll(',', '')) : Number.NaN;
}

/** A pasted number, without invisible characters and with plain spaces. */
export function typedPhone(text: string): string {
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .trim();
}
