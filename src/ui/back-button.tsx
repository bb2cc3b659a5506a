import { ArrowLeft } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { IconButton } from './button.tsx';

/** Goes where the person came from; on a deep link, which has no before, to `fallback`. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  return () => {
    // The router numbers the entries of its own history in their state.
    if ((history.state?.idx ?? 0) > 0) navigate(-1);
    else navigate(fallback, { replace: true });
  };
}

/** The way the person came, or `to` where there is none. */
export function BackButton({ label, to }: { label: string; to: string }) {
  return <IconButton label={label} icon={<ArrowLeft aria-hidden />} onClick={useGoBack(to)} />;
}
