/** A user at a browser of any engine, who finds controls by their text. */
import { expect } from '@playwright/test';
import type { Driver } from './driver.ts';

const patience = { timeout: 30_000 };

export type Control = 'button' | 'link' | 'field';

/** The center of a clickable control, scrolled into view; null if none. Runs in the page. */
const findControl = `
  const [kind, name, near] = args;
  const selectors = { button: 'button', link: 'a[href]', field: 'input, select, textarea' };
  const cards = [...document.querySelectorAll('article')];
  const scope = near ? cards.find((card) => card.innerText.includes(near)) : document.body;
  const nameOf = (element) =>
    element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText ?? element.innerText;
  const found = [...(scope?.querySelectorAll(selectors[kind]) ?? [])].find(
    (element) => element.checkVisibility() && nameOf(element).trim().startsWith(name),
  );
  if (!found) return null;
  found.scrollIntoView({ block: 'center' });
  const middle = () => {
    const { left, top, width, height } = found.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  // Still moving.
  if (String(middle()) !== String([x, y])) return null;
  const shown = document.elementFromPoint(x, y);
  return found.contains(shown) || found.labels?.[0]?.contains(shown) ? [x, y] : null;
`;

export class Person {
  readonly #driver: Driver;
  readonly #url: string;

  /** `url`: the product's address without a trailing slash. */
  constructor(driver: Driver, url: string) {
    this.#driver = driver;
    this.#url = url;
  }

  open(path: string): Promise<void> {
    return this.#driver.open(`${this.#url}${path}`);
  }

  /** Returns the result of `script` in the page. */
  ask(script: string, ...args: unknown[]): Promise<unknown> {
    return this.#driver.run(script, args);
  }

  /** Waits until `script` returns this; tolerates a navigation in progress. */
  async until(what: string, script: string, value: unknown = true): Promise<void> {
    const answer = () => this.ask(script).catch(() => undefined);
    await expect.poll(answer, { message: what, ...patience }).toEqual(value);
  }

  /** Waits for this text on the screen; `near`: in the card with that text. */
  async see(words: string, near?: string): Promise<void> {
    await expect.poll(() => this.#text(near), { message: words, ...patience }).toContain(words);
  }

  async seeNoMore(words: string, near?: string): Promise<void> {
    await expect.poll(() => this.#text(near), { message: words, ...patience }).not.toContain(words);
  }

  async press(kind: Control, name: string, near?: string): Promise<void> {
    let place: [number, number] | null = null;
    const find = async () => {
      const found = await this.ask(findControl, kind, name, near).catch(() => null);
      place = found as [number, number] | null;
      return place !== null;
    };
    await expect.poll(find, { message: `${kind} ${name}`, ...patience }).toBe(true);
    if (place !== null) await this.#driver.press(...(place as [number, number]));
  }

  async fill(field: string, text: string): Promise<void> {
    await this.press('field', field);
    await this.#driver.type(text);
  }

  /** From the first visit, on a trusted device with the app installed. */
  async signIn({ email, password }: { email: string; password: string }): Promise<void> {
    await this.open('/auth');
    await this.see('Welcome Back');
    await this.until('the worker', 'return navigator.serviceWorker.controller !== null');
    await this.fill('Email', email);
    await this.fill('Password', password);
    await this.press('field', 'Trust This Device');
    await this.press('button', 'Sign In');
    await this.see('Deliveries');
  }

  async #text(near?: string): Promise<string> {
    const script = `
      // Firefox reports hidden text too before the first layout.
      if (document.readyState !== 'complete') return '';
      const cards = [...document.querySelectorAll('article')];
      const scope = args[0] ? cards.find((card) => card.innerText.includes(args[0])) : document.body;
      return scope?.innerText ?? '';
    `;
    return String(await this.ask(script, near).catch(() => ''));
  }
}
