/** What a signed-in page starts with, as one module: each dynamically imported one is a file of its own. */
export * from './routes/home.tsx';
export * from './session/user-session.ts';
