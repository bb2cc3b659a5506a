/** Plural rules by language tag, made when first asked for: making one takes a cheap phone milliseconds. */
const rules = new Map<string, Intl.PluralRules>();

type Forms = { other: string } & { [Category in Intl.LDMLPluralRule]?: string };

/** The form that the language `tag` uses for `count`, by CLDR's categories. */
export function plural(tag: string, count: number, forms: Forms): string {
  let rule = rules.get(tag);
  if (!rule) {
    rule = new Intl.PluralRules(tag);
    rules.set(tag, rule);
  }
  return forms[rule.select(count)] ?? forms.other;
}
