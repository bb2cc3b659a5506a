import { useAtomValue, useSetAtom } from 'jotai';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { useSignedIn } from '#data/services.ts';
import { useRefused } from '#data/use-outbox.ts';
import { usePackageView } from '#data/use-packages.ts';
import type { PackageView } from '#domain/overlay.ts';
import { EditPackageForm } from '#features/package-form/components/edit-package-form.tsx';
import { packages as words } from '#messages/en/packages.ts';
import { sending } from '#messages/en/sending.ts';
import { DecidedNotice, NoPackage } from '#package-ui/notices.tsx';
import { editDraftKey, editDraftsAtom, withoutEditDraft } from '#state/package-drafts.ts';
import { useGoBack } from '#ui/back-button.tsx';
import { IconButton } from '#ui/button.tsx';
import { CardSkeletons } from '#ui/card.tsx';
import { LeaveQuestion } from '#ui/leave-question.tsx';
import { Screen } from '#ui/screen.tsx';
import { useLeaveGuard } from '#ui/use-leave-guard.ts';

/** Asks before leaving with unsaved changes; closing the app keeps the draft. */
export function EditPackageScreen() {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  const from = query.get('from');
  const { userInfo } = useSignedIn();
  const draftKey = editDraftKey(userInfo.id, from ?? id);
  const isDirty = useAtomValue(editDraftsAtom)[draftKey] !== undefined;
  const setDrafts = useSetAtom(editDraftsAtom);
  const [round, setRound] = useState(0);
  const guard = useLeaveGuard(isDirty);
  const goBack = useGoBack(from ? '/outbox' : `/package-detail/${id}`);
  return (
    <Screen
      title={words.edit.title}
      lead={
        <IconButton
          label={words.back}
          icon={<ArrowLeft aria-hidden />}
          onClick={() => guard.request(goBack)}
        />
      }
    >
      <EditPackage
        // A new key resets the form; edits survive any other re-render.
        key={`${draftKey} ${round}`}
        id={id}
        from={from}
        draftKey={draftKey}
        onStartOver={() => setRound(round + 1)}
      />
      <LeaveQuestion
        guard={guard}
        words={sending.leave}
        onDiscard={() => setDrafts((all) => withoutEditDraft(all, draftKey))}
        goBack={goBack}
      />
    </Screen>
  );
}

interface EditPackageProps {
  id: string;
  from: string | null;
  draftKey: string;
  onStartOver(): void;
}

function EditPackage({ id, from, ...form }: EditPackageProps) {
  const view = usePackageView(id);
  const refused = useRefused('editPackage', from);
  const [removing, setRemoving] = useState<PackageView | null>(null);
  const shown = removing ?? view;
  if (shown === undefined || refused === undefined) return <CardSkeletons label={words.loading} />;
  if (shown === null) return <NoPackage id={id} />;
  if (from && !refused) return <DecidedNotice />;
  return (
    <EditPackageForm
      {...form}
      view={shown}
      refused={refused}
      onRemoving={(isRemoving) => setRemoving(isRemoving ? shown : null)}
    />
  );
}
