/** Screens that need no session, besides /auth: of a forgotten password and of mailed links. */
import { ConfirmEmailScreen } from '#features/auth/screens/confirm-email-screen.tsx';
import { ForgotPasswordScreen } from '#features/auth/screens/forgot-password-screen.tsx';
import { ResetPasswordScreen } from '#features/auth/screens/reset-password-screen.tsx';
import { Frame } from '#ui/frame.tsx';
import { lazyPart } from '#ui/lazy-part.tsx';

const MailSupport = lazyPart(async () => (await import('./support-contact.tsx')).MailSupport);
const NoMailNotice = lazyPart(async () => (await import('./support-contact.tsx')).NoMailNotice);

export function ForgotPassword() {
  return (
    <Frame>
      <ForgotPasswordScreen noMail={<NoMailNotice />} support={<MailSupport />} />
    </Frame>
  );
}

export function ResetPassword() {
  return (
    <Frame>
      <ResetPasswordScreen />
    </Frame>
  );
}

export function ConfirmEmail() {
  return (
    <Frame>
      <ConfirmEmailScreen />
    </Frame>
  );
}
