import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { isChunkError, reloadForChunkError } from '#app/pwa/chunk-errors.ts';
import { HomeLink, WaitingScreen } from '#app/routes/simple-screens.tsx';
import { app as words } from '#messages/en/app.ts';
import { Button } from '#ui/button.tsx';
import { Frame } from '#ui/frame.tsx';
import { MessageScreen } from '#ui/screen.tsx';

interface Props {
  /** Inside a layout: the screen's address; a new one resets the boundary. */
  at?: string;
  children: ReactNode;
}

interface State {
  error: unknown;
  at: string | undefined;
  isReloading: boolean;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, at: this.props.at, isReloading: false };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  static getDerivedStateFromProps({ at }: Props, state: State) {
    return at === state.at ? null : { error: null, at };
  }

  override componentDidCatch(error: unknown) {
    if (isChunkError(error)) this.setState({ isReloading: reloadForChunkError() });
  }

  override render() {
    const { error, at, isReloading } = this.state;
    if (error === null) return this.props.children;
    if (isReloading) return <WaitingScreen />;
    const { title, text, reload } = isChunkError(error) ? words.lost : words.crash;
    const message = (
      <MessageScreen title={title} icon={<CircleAlert aria-hidden size={40} />}>
        <p>{text}</p>
        <Button onClick={() => window.location.reload()}>{reload}</Button>
        {at !== undefined && <HomeLink tone="quiet" />}
      </MessageScreen>
    );
    return at === undefined ? <Frame>{message}</Frame> : message;
  }
}
