import { ArrowLeft } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { IconButton } from '#ui/button.tsx';
import { words } from './words.ts';

/** Back in the history; on a deep link, which has none, to `fallback`. */
export function BackButton({ fallback = '/' }: { fallback?: string }) {
  const navigate = useNavigate();
  const isDeepLink = () => !(history.state && history.state.idx > 0);
  return (
    <IconButton
      label={words.back}
      icon={<ArrowLeft aria-hidden />}
      onClick={() => (isDeepLink() ? navigate(fallback, { replace: true }) : navigate(-1))}
    />
  );
}
