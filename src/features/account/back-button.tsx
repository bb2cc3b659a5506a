import { ArrowLeft } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { IconButton } from '#ui/button.tsx';
import { words } from './words.ts';

export function BackButton({ to }: { to: string }) {
  const navigate = useNavigate();
  return (
    <IconButton label={words.back} icon={<ArrowLeft aria-hidden />} onClick={() => navigate(to)} />
  );
}
