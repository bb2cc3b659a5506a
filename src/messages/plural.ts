/** Plural rules by language tag, cached: creating one takes milliseconds on a slow phone. */
const rules = new Map<string, Intl.PluralRules>();

type Forms = { other: string } & { [Category in Intl.LDMLPluralRule]?: string };

/** The CLDR plural form of `tag` for `count`. */
export function plural(tag: string, count: number, forms: Forms): string {
  let rule = rules.get(tag);
  if (!rule) {
    rule = new Intl.PluralRules(tag);
    rules.set(tag, rule);
  }
  return forms[rule.select(count)] ?? forms.other;
}
