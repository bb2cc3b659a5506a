/** Sign-in and sign-up. */

import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';

export const auth = localized('auth', {
  taglines: ['Your ride to faster deliveries', 'Fast • Reliable • Secure'],
  splash: 'Loading. Tap to continue.',
  email: 'Email',
  password: 'Password',
  confirmPassword: 'Confirm Password',
  showPassword: 'Show password',
  registerAs: 'Register As',
  trustThisDevice: 'Trust This Device',
  trustHint: 'Stay signed in and use Kaya offline on this device.',
  roleLabels: { Customer: 'User', Employee: 'Delivery Personnel' },
  signIn: {
    title: 'Welcome Back',
    save: 'Sign In',
    busy: 'Signing In...',
    other: 'Join Us Today',
    otherLead: 'New here?',
    switched: 'Switched to Sign In form',
    success: 'Login successful! Redirecting to dashboard...',
    failure: 'Login failed. Please try again.',
    offline: 'You are offline. Connect to the internet to sign in.',
    emailUnknown: 'Email is not registered.',
    checkEmail: 'Check your email, or create an account below.',
    wrongPassword: 'Incorrect password.',
    checkPassword: 'Wrong password. Try again, or set a new one.',
    forgot: 'Forgot password?',
  },
  signUp: {
    title: 'Create Account',
    save: 'Sign Up',
    busy: 'Creating Account...',
    other: 'Sign In',
    otherLead: 'Already have an account?',
    switched: 'Switched to Sign Up form',
    success: 'Account created! Redirecting to Sign In...',
    failure: 'Registration failed. Please try again.',
    offline: 'You are offline. Connect to the internet to sign up.',
    emailTaken: 'This email is already registered. Please sign in.',
    roleHint: 'Choose Delivery Personnel to deliver packages.',
    passwordHint: 'At least 8 characters.',
  },
  expiredTitle: 'Session Expired',
  expiredUnsent: (count: number) =>
    plural('en', count, {
      one: '1 change is saved on this device and will be sent when you sign in.',
      other: `${count} changes are saved on this device and will be sent when you sign in.`,
    }),
  expiredDeleted: (count: number) =>
    plural('en', count, {
      one: 'This isn’t a trusted device, so 1 form or picture you hadn’t sent was deleted from it.',
      other: `This isn’t a trusted device, so ${count} forms and pictures you hadn’t sent were deleted from it.`,
    }),
  goToLogin: 'Go to Login Page',
  lockedTitle: 'You are offline',
  lockedText:
    'Your packages aren’t saved on this device because it isn’t trusted. Connect to the internet to continue.',
  lockedInMemory:
    'This browser doesn’t save data, so Kaya can’t open offline. Connect to the internet to continue.',
  lockedUnsent: (count: number) =>
    plural('en', count, {
      one: '1 change is saved on this device and will be sent.',
      other: `${count} changes are saved on this device and will be sent.`,
    }),
  tryAgain: 'Try again',
  trying: 'Trying...',
} as const);
