import { useAtom } from 'jotai';
import { useCallback, useEffect, useRef, useState } from 'react';
import { productName } from '#contract/version.ts';
import { useServices } from '#data/services.ts';
import {
  about,
  nothingTyped,
  SignInForm,
  SignUpForm,
} from '#features/auth/components/auth-forms.tsx';
import { AuthPanel } from '#features/auth/components/auth-panel.tsx';
import { auth as words } from '#messages/en/auth.ts';
import { signInEmailAtom } from '#state/sign-in-email.ts';
import { splashFlag } from '#state/splash.ts';
import { Button } from '#ui/button.tsx';
import { paintedForMs } from '#ui/first-screen.ts';
import { useScreenHeading } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showInfo } from '#ui/toast.tsx';
import { Wordmark } from '#ui/wordmark.tsx';

type FormName = 'signIn' | 'signUp';

const redirectMs = 2000;
const formSwitchMs = 300;
const switchToastMs = 2000;
const reasonMs = 3000;

function useSplash(): [isShown: boolean, end: () => void] {
  const [isShown, setIsShown] = useState(() => !splashFlag.isSet());
  const end = useCallback(() => {
    splashFlag.set();
    setIsShown(false);
  }, []);
  return [isShown, end];
}

const splashMs = 3000;

/** Looks like index.html's first paint and counts from it, so slow phones do not wait longer. */
function Splash({ onEnd }: { onEnd(): void }) {
  const [leftMs] = useState(() => splashMs - paintedForMs());
  useEffect(() => {
    const timer = setTimeout(onEnd, leftMs);
    window.addEventListener('keydown', onEnd);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onEnd);
    };
  }, [onEnd, leftMs]);
  const [promise, virtues] = words.taglines;
  return (
    <button type="button" className="boot" onClick={onEnd} aria-label={words.splash}>
      <Wordmark label={productName} height={72} />
      <b>{promise}</b>
      <i>{virtues}</i>
    </button>
  );
}

interface AuthScreenProps {
  /** Why the guard redirected here, shown with the form; null: no redirect. */
  reason: string | null;
  onEnter(): void;
}

export function AuthScreen(props: AuthScreenProps) {
  const [isSplashShown, endSplash] = useSplash();
  if (isSplashShown) return <Splash onEnd={endSplash} />;
  return <AuthForms {...props} />;
}

function AuthForms({ reason, onEnter }: AuthScreenProps) {
  const [shown, setShown] = useState<FormName>('signIn');
  const [email, setEmail] = useAtom(signInEmailAtom);
  const [password, setPassword] = useState('');
  const [signUp, setSignUp] = useState(nothingTyped);
  const [isLeaving, setIsLeaving] = useState(false);
  const [isEntering, setIsEntering] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const heading = useScreenHeading(words[shown].title);
  const { session } = useServices();
  useEffect(() => {
    if (reason) showInfo(reason, { durationMs: reasonMs });
  }, [reason]);

  // Preloads what submitting the form needs.
  const prepare = () => {
    session.prepare();
    import('#domain/validation.ts').catch(() => undefined);
  };

  const after = (delayMs: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, delayMs);
  };
  const show = (name: FormName) => {
    setIsLeaving(false);
    setIsEntering(false);
    setShown(name);
    heading.current?.focus();
  };
  const switchTo = (name: FormName) => {
    // Otherwise a signed-in user would be left at a form.
    if (isEntering) return;
    showInfo(words[name].switched, { ...about, durationMs: switchToastMs });
    setIsLeaving(true);
    after(formSwitchMs, () => show(name));
  };

  const other: FormName = shown === 'signIn' ? 'signUp' : 'signIn';
  return (
    <AuthPanel title={words[shown].title} heading={heading} isLeaving={isLeaving} onInput={prepare}>
      {shown === 'signIn' ? (
        <SignInForm
          typed={{ email, password }}
          onType={(typed) => {
            setEmail(typed.email);
            setPassword(typed.password);
          }}
          onSignedIn={() => {
            setIsEntering(true);
            after(redirectMs, () => {
              setEmail('');
              onEnter();
            });
          }}
        />
      ) : (
        <SignUpForm
          typed={signUp}
          onType={setSignUp}
          onSignedUp={(email) => {
            setIsEntering(true);
            setEmail(email);
            setPassword('');
            after(redirectMs, () => {
              setSignUp(nothingTyped);
              show('signIn');
            });
          }}
        />
      )}
      <div className={layout.spread}>
        <p className={layout.soft}>{words[shown].otherLead}</p>
        <Button tone="quiet" onClick={() => switchTo(other)}>
          {words[shown].other}
        </Button>
      </div>
    </AuthPanel>
  );
}
