/** The camera, until it sees the right code. Typing is always possible beside it. */

import { useEffect, useRef, useState } from 'react';
import { findQrDetector } from '#features/delivery/qr-detector.ts';
import { proof as words } from '#messages/en/proof.ts';
import { Button } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import css from './proof.module.css';

type Read = (video: HTMLVideoElement) => Promise<string | null>;

/** Wide enough for a code that fills a third of the picture. */
const frameWidth = 640;
const betweenFramesMs = 150;

/** The browser's own, else one that only such phones store (sw/parts.ts). */
async function createReader(): Promise<Read> {
  const detector = await findQrDetector();
  if (detector) return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
  const { decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, frameWidth / video.videoWidth);
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    if (!context || canvas.width === 0) return null;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
    } catch {
      // No code in this frame.
      return null;
    }
  };
}

interface ScannerProps {
  /** Resolves with false where it is another code: the camera stays on. */
  onText(text: string): Promise<boolean>;
  onClose(end: ScanEnd): void;
  /** Set after submitting without a code. */
  error: string | undefined;
}

/** The person types instead, or why the camera can't be used. */
export type ScanEnd = 'typing' | 'denied' | 'none';

export function Scanner({ onText, onClose, error }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [isWrong, setIsWrong] = useState(false);
  const heard = useRef({ onText, onClose });
  heard.current = { onText, onClose };

  useEffect(() => {
    let isOver = false;
    let stream: MediaStream | null = null;
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const scan = async () => {
      const element = video.current;
      if (!navigator.mediaDevices || !element) return heard.current.onClose('none');
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 1280 } },
      });
      if (isOver) return stop();
      element.srcObject = stream;
      await element.play();
      const read = await createReader();
      while (!isOver) {
        const text = await read(element).catch(() => null);
        if (text !== null && !isOver) {
          if (await heard.current.onText(text)) return;
          setIsWrong(true);
        }
        await new Promise((resolve) => setTimeout(resolve, betweenFramesMs));
      }
    };
    scan().catch((error: unknown) => {
      if (isOver) return;
      const isDenied = error instanceof DOMException && error.name === 'NotAllowedError';
      heard.current.onClose(isDenied ? 'denied' : 'none');
    });
    return () => {
      isOver = true;
      stop();
    };
  }, []);

  return (
    <section className={layout.stack} aria-label={words.scan.title}>
      <div className={css.viewfinder}>
        <video ref={video} muted playsInline />
      </div>
      <p className={isWrong ? css.wrong : undefined} role="status">
        {isWrong ? words.scan.wrong : words.scan.aim}
      </p>
      {error && (
        <p className={css.wrong} role="alert">
          {error}
        </p>
      )}
      <Button tone="quiet" isWide onClick={() => onClose('typing')}>
        {words.scan.stop}
      </Button>
    </section>
  );
}
