import { ChevronRight, Info, LifeBuoy, Tag, Truck, UserRound, Wallet, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { home as words } from '#messages/en/home.ts';
import { IconButton } from '#ui/button.tsx';
import { Drawer } from '#ui/dialog.tsx';
import menu from '#ui/menu.module.css';
import layout from '#ui/stack.module.css';
import css from './sidebar.module.css';

const links = [
  { to: '/payment', label: words.sidebar.payment, Icon: Wallet },
  { to: '/promotion', label: words.sidebar.promotion, Icon: Tag },
  { to: '/delivery', label: words.sidebar.deliveries, Icon: Truck },
  { to: '/support', label: words.sidebar.support, Icon: LifeBuoy },
  { to: '/delivery-request', label: words.sidebar.about, Icon: Info },
];

interface SidebarProps {
  name: string;
  onClose(): void;
  foot: ReactNode;
}

/** The sidebar's links replace its history entry (ui/use-back-closes.ts). */
export function Sidebar({ name, onClose, foot }: SidebarProps) {
  return (
    <Drawer label={words.sidebar.label} onClose={onClose}>
      <div className={css.sidebar}>
        <div className={`${layout.row} ${css.head}`}>
          <Link className={`${layout.row} ${css.who}`} to="/account" replace onClick={onClose}>
            <span className={`${layout.tile} ${layout.round} ${layout.accent}`}>
              <UserRound aria-hidden />
            </span>
            <span>
              <span className={`${css.name} ${layout.clamped}`} dir="auto">
                {name}
              </span>
              <span className={css.caption}>
                {words.sidebar.myAccount}
                <ChevronRight aria-hidden size={18} />
              </span>
            </span>
          </Link>
          <IconButton label={words.sidebar.close} icon={<X aria-hidden />} onClick={onClose} />
        </div>
        <nav className={menu.menu} aria-label={words.sidebar.label}>
          {links.map(({ to, label, Icon }) => (
            <Link
              key={to}
              className={`${layout.row} ${menu.row}`}
              to={to}
              replace
              onClick={onClose}
            >
              <Icon aria-hidden />
              {label}
            </Link>
          ))}
        </nav>
        <div className={css.foot}>{foot}</div>
      </div>
    </Drawer>
  );
}
