/** A browser as the engines' tests drive it: what Chromium, Firefox and WebKitGTK have in common. */
export interface Driver {
  /** Loads the address; resolves when its document has loaded, and also where there is none to be had. */
  open(url: string): Promise<void>;
  /** Runs `script` in the page as the body of an async function that gets `args`; both as JSON. */
  run(script: string, args: readonly unknown[]): Promise<unknown>;
  /** Presses at this place of the window, CSS px. */
  press(x: number, y: number): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A cheap phone's, CSS px. */
export const windowSize = { width: 412, height: 915 };

/** For `run` of a protocol: an expression of the JSON text of what `script` returns. */
export const jsonOf = (script: string, args: readonly unknown[]): string =>
  `(async (...args) => { ${script} })(...${JSON.stringify(args)}).then((value) => JSON.stringify(value ?? null))`;

/** Input as WebDriver and WebDriver BiDi both take it. */
export const pressing = (x: number, y: number) => [
  {
    type: 'pointer',
    id: 'finger',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
];

export const typing = (text: string) => [
  {
    type: 'key',
    id: 'keys',
    actions: [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  },
];
