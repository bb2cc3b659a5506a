import { useCallback, useEffect, useRef, useState } from 'react';
import { productName } from '#contract/version.ts';
import { useServices } from '#data/services.ts';
import css from '#features/auth/components/auth.module.css';
import {
  about,
  nothingTyped,
  SignInForm,
  SignUpForm,
} from '#features/auth/components/auth-forms.tsx';
import { auth as words } from '#messages/en/auth.ts';
import { safeSessionStorage, storedFlag } from '#state/safe-storage.ts';
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

/** Whether this tab has shown the splash; without sessionStorage, whether this page has. */
const splashFlag = storedFlag('splashSeen', safeSessionStorage);

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
  const [signIn, setSignIn] = useState({ email: '', password: '' });
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
    <div className={css.page} data-toasts="top">
      <div className={css.hero}>
        <Wordmark label={productName} height={44} />
        <p className={css.promise}>{words.taglines[0]}</p>
      </div>
      <div className={css.panel}>
        <div
          className={`${layout.stack} ${css.form}`}
          data-leaving={isLeaving}
          onInputCapture={prepare}
        >
          <h1 className={css.title} ref={heading} tabIndex={-1}>
            {words[shown].title}
          </h1>
          {shown === 'signIn' ? (
            <SignInForm
              typed={signIn}
              onType={setSignIn}
              onSignedIn={() => {
                setIsEntering(true);
                after(redirectMs, onEnter);
              }}
            />
          ) : (
            <SignUpForm
              typed={signUp}
              onType={setSignUp}
              onSignedUp={(email) => {
                setIsEntering(true);
                setSignIn({ email, password: '' });
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
        </div>
      </div>
    </div>
  );
}
