/** The start of a signed-in page as one module: each dynamic import is a file of its own. */

export * from '#state/count-forms.ts';
export * from '#state/forgettable.ts';
export * from './routes/home.tsx';
export * from './session/user-session.ts';
