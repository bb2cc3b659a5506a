import { Link } from 'react-router-dom';
import { productName } from '#contract/version.ts';
import { app as words } from '#messages/en/app.ts';
import { buttonClass } from '#ui/button.tsx';
import { Frame } from '#ui/frame.tsx';
import { MessageScreen } from '#ui/screen.tsx';
import { Wordmark } from '#ui/wordmark.tsx';
import css from './simple-screens.module.css';

export function HomeLink({ tone = 'primary' }: { tone?: 'primary' | 'quiet' }) {
  return (
    <Link className={buttonClass(tone)} to="/">
      {words.goHome}
    </Link>
  );
}

/** In place of a message's icon. */
export function Logo() {
  return (
    <span>
      <Wordmark label={productName} height={44} />
    </span>
  );
}

export function NotFoundScreen() {
  return (
    <Frame>
      <MessageScreen title={words.notFound} icon={<Logo />}>
        <p>{words.notFoundText}</p>
        <HomeLink />
      </MessageScreen>
    </Frame>
  );
}

const boot = document.querySelector('.boot')?.cloneNode(true);

/** Repeats exactly what index.html painted, so that nothing shifts. */
function paintBoot(container: HTMLElement | null) {
  container?.replaceChildren(...(boot?.cloneNode(true).childNodes ?? []));
}

/** index.html's splash, shown until the session and its screen are loaded. */
export function WaitingScreen() {
  return (
    <main className="boot">
      <div className={css.splash} ref={paintBoot} />
      <span className={css.waiting} role="status">
        {words.loading}
      </span>
    </main>
  );
}
