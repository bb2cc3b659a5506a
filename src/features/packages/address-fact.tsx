import { Map as MapIcon } from 'lucide-react';
import type { Location } from '#contract/fields.ts';
import { mapLink } from '#domain/contact-links.ts';
import { shortLocation } from '#domain/location.ts';
import { iconButtonClass } from '#ui/button.tsx';
import { Fact } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { showError, showInfo } from '#ui/toast.tsx';
import css from './detail.module.css';
import { words } from './words.ts';

const isAndroid = () => /Android/i.test(navigator.userAgent);

interface AddressFactProps {
  label: string;
  address: string;
  pin: Location | null;
}

/** An address to be copied, or opened in the phone's map app. */
export function AddressFact({ label, address, pin }: AddressFactProps) {
  const sayCopied = (isCopied: boolean) => {
    if (isCopied) showInfo(words.detail.copied);
    else showError(words.detail.notCopied);
  };
  return (
    <Fact label={label}>
      <span className={css.address}>
        <span>
          {address}
          {pin && <small className={css.pin}>{words.pin.at(shortLocation(pin))}</small>}
        </span>
        <span className={css.tools}>
          <CopyButton label={words.detail.copy(label)} text={address} onDone={sayCopied} />
          <a
            className={iconButtonClass()}
            href={mapLink(address, pin, isAndroid())}
            target={isAndroid() ? undefined : '_blank'}
            rel="noreferrer"
            aria-label={words.detail.openMap(label)}
          >
            <MapIcon aria-hidden size={20} />
          </a>
        </span>
      </span>
    </Fact>
  );
}
