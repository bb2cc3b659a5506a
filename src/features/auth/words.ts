/** What the auth screens say: SPEC.md sections 2 and 8. */
export const words = {
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
  goToLogin: 'Go to Login Page',
  lockedTitle: 'You are offline',
  lockedText:
    'This device is not trusted, so your packages are not kept on it. Connect to the network to continue.',
  tryAgain: 'Try again',
  trying: 'Trying...',
} as const;

/** The toasts of signing in and up take each other's place. */
export const authSubject = 'auth';
