import { ArrowLeft } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { IconButton } from './button.tsx';

/** Goes back in the app's own history; to `fallback` on a deep link, which has none. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  return () => {
    // React Router stores the index of its entries as `history.state.idx`.
    if ((history.state?.idx ?? 0) > 0) navigate(-1);
    else navigate(fallback, { replace: true });
  };
}

export function BackButton({ label, to }: { label: string; to: string }) {
  return <IconButton label={label} icon={<ArrowLeft aria-hidden />} onClick={useGoBack(to)} />;
}
