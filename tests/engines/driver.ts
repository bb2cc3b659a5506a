/** The browser interface of the engine tests, common to Chromium, Firefox and WebKitGTK. */
export interface Driver {
  /** Loads the address; resolves when its document has loaded or failed to load. */
  open(url: string): Promise<void>;
  /** Runs `script` in the page as the body of an async function with `args`; both as JSON. */
  run(script: string, args: readonly unknown[]): Promise<unknown>;
  /** Clicks at this point of the window, CSS px. */
  press(x: number, y: number): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A low-end phone's, CSS px. */
export const windowSize = { width: 412, height: 915 };

/** For `run` of a protocol: an expression for the JSON of what `script` returns. */
export const jsonOf = (script: string, args: readonly unknown[]): string =>
  `(async (...args) => { ${script} })(...${JSON.stringify(args)}).then((value) => JSON.stringify(value ?? null))`;

/** Input actions in the format shared by WebDriver and WebDriver BiDi. */
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
