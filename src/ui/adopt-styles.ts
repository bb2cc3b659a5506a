/**
 * Adds a style sheet that its component brings as text (`x.css?inline`), so that only those download it
 * who load the component. Sheets apply in the order of their adoption, after the page's own.
 */
export function adoptStyles(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
