/** Screens of a few words. */
import { Link } from 'react-router-dom';
import { BackButton } from '#ui/back-button.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';
import { Frame } from '#ui/frame.tsx';
import { MessageScreen, Screen } from '#ui/screen.tsx';
import css from './simple-screens.module.css';
import { words } from './words.ts';

function HomeLink() {
  return (
    <Link className={buttonClass('quiet')} to="/">
      {words.goHome}
    </Link>
  );
}

export function NotFoundScreen() {
  return (
    <Frame>
      <MessageScreen title={words.notFound}>
        <HomeLink />
      </MessageScreen>
    </Frame>
  );
}

export function ComingSoonScreen({ title }: { title: string }) {
  return (
    <Screen title={title} lead={<BackButton label={words.back} to="/" />}>
      <Notice text={words.comingSoon}>
        <HomeLink />
      </Notice>
    </Screen>
  );
}

/** For the moment in which the phone's own storage is asked who is signed in. */
export function WaitingScreen() {
  return (
    <Frame>
      <p className={css.waiting} role="status">
        <img src="/icons/mark.svg" alt="" width="64" height="64" />
        {words.loading}
      </p>
    </Frame>
  );
}
