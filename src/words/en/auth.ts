/** What the auth screens say: SPEC.md sections 2 and 8. */

export const auth = {
  taglines: ['Your ride to faster deliveries', 'Fast • Reliable • Secure'],
  splash: 'Loading. Tap to continue.',
  email: 'Email',
  password: 'Password',
  confirmPassword: 'Confirm Password',
  showPassword: 'Show password',
  registerAs: 'Register As',
  trustThisDevice: 'Trust This Device',
  trustHint: 'Stay signed in and open without a network on this phone.',
  roleLabels: { Customer: 'User', Employee: 'Delivery Personnel' },
  signIn: {
    title: 'Welcome Back',
    submit: 'Sign In',
    busy: 'Signing In...',
    other: 'Join Us Today',
    otherLead: 'New here?',
    switched: 'Switched to Sign In form',
    success: 'Login successful! Redirecting to dashboard...',
    failure: 'Login failed. Please try again.',
    emailUnknown: 'Email is not registered.',
    wrongPassword: 'Incorrect password.',
  },
  signUp: {
    title: 'Create Account',
    submit: 'Sign Up',
    busy: 'Creating Account...',
    other: 'Sign In',
    otherLead: 'Already have an account?',
    switched: 'Switched to Sign Up form',
    success: 'Account created! Redirecting to Sign In...',
    failure: 'Registration failed. Please try again.',
    passwordHint: 'At least 8 characters.',
  },
  offline:
    'You are offline. Signing in needs the network; please try again when you are connected.',
  expiredTitle: 'Session Expired',
  expiredUnsent: (count: number) =>
    count === 1
      ? '1 change is kept on this phone and is sent after you sign in.'
      : `${count} changes are kept on this phone and are sent after you sign in.`,
  goToLogin: 'Go to Login Page',
  lockedTitle: 'You are offline',
  lockedText:
    'This device is not trusted, so your packages are not kept on it. Connect to the network to continue.',
  lockedInMemory:
    'This browser keeps nothing, so Kaya cannot open from it without a network. Connect to continue.',
  lockedUnsent: (count: number) =>
    count === 1
      ? '1 change is kept on this phone and will be sent.'
      : `${count} changes are kept on this phone and will be sent.`,
  tryAgain: 'Try again',
  trying: 'Trying...',
} as const;
