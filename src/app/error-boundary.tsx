import { Component, type ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Frame } from '#ui/frame.tsx';
import { MessageScreen } from '#ui/screen.tsx';
import { words } from './words.ts';

/** What stands in place of a screen that threw, or whose chunk did not come. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Frame>
        <MessageScreen title={words.crash.title}>
          <p>{words.crash.text}</p>
          <Button onClick={() => window.location.reload()}>{words.crash.reload}</Button>
        </MessageScreen>
      </Frame>
    );
  }
}
