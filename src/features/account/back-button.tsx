import { ArrowLeft } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { IconButton } from '#ui/button.tsx';
import { words } from './words.ts';

/** Goes where the person came from; on a deep link, which has no before, to `fallback`. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  return () => {
    // The router numbers the entries of its own history in their state.
    if ((history.state?.idx ?? 0) > 0) navigate(-1);
    else navigate(fallback, { replace: true });
  };
}

/** A fixed way up, or with `isHistory` the way the person came. */
export function BackButton({ to, isHistory = false }: { to: string; isHistory?: boolean }) {
  const navigate = useNavigate();
  const goBack = useGoBack(to);
  return (
    <IconButton
      label={words.back}
      icon={<ArrowLeft aria-hidden />}
      onClick={isHistory ? goBack : () => navigate(to)}
    />
  );
}
