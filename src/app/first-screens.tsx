/** The shell and the screen that one begins with after signing in. */
import { Home } from './home.tsx';
import { Inside } from './inside.tsx';
import { PlainShell, Shell } from './shell.tsx';

export const screens = { Inside, Shell, PlainShell, Home };
