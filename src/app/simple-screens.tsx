/** Screens of a few words. */
import { MapPinOff, Sparkles } from 'lucide-react';
import { Link } from 'react-router-dom';
import { productName } from '#domain/product.ts';
import { BackButton } from '#ui/back-button.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';
import { Frame } from '#ui/frame.tsx';
import { MessageScreen, Screen } from '#ui/screen.tsx';
import { Wordmark } from '#ui/wordmark.tsx';
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
      <MessageScreen title={words.notFound} icon={<MapPinOff aria-hidden size={40} />}>
        <p>{words.notFoundText}</p>
        <HomeLink />
      </MessageScreen>
    </Frame>
  );
}

export function ComingSoonScreen({ title }: { title: string }) {
  return (
    <Screen title={title} lead={<BackButton label={words.back} to="/" />}>
      <Notice icon={<Sparkles aria-hidden size={40} />} text={words.comingSoon}>
        <HomeLink />
      </Notice>
    </Screen>
  );
}

/** For the moment in which the phone's own storage is asked who is signed in: as index.html began. */
export function WaitingScreen() {
  return (
    <main className="boot">
      <Wordmark label={productName} height={72} />
      <span className={css.waiting} role="status">
        {words.loading}
      </span>
    </main>
  );
}
