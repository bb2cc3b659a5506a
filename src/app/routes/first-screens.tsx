/** The shell and the screen that one begins with after signing in. */

import { PlainShell, Shell } from '#app/shell/shell.tsx';
import { Home } from './home.tsx';
import { Inside } from './inside.tsx';

export const screens = { Inside, Shell, PlainShell, Home };
