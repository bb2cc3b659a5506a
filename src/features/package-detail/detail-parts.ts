/** Parts of a package's page from other features; `app` injects them. */
import type { ComponentType, ReactNode } from 'react';
import type { PackageView } from '#domain/overlay.ts';
import type { Dispatching } from '#package-ui/use-dispatch.ts';
import type { StepProps } from '#package-ui/use-package-actions.ts';
import type { Payment } from '#package-ui/use-pay-package.ts';
import type { ButtonTone } from '#ui/button.tsx';

interface HandoverButtonProps extends StepProps {
  step: 'deliver' | 'return';
  tone: ButtonTone;
  label: string;
}

interface DispatchProps {
  view: PackageView;
  dispatching: Dispatching;
}

export interface DetailParts {
  /** The steps beside the one at the thumb. */
  DeliverySteps: ComponentType<StepProps>;
  DeliverButton: ComponentType<StepProps & { tone?: ButtonTone }>;
  ReturnButton: ComponentType<StepProps & { tone?: ButtonTone }>;
  HandoverButton: ComponentType<HandoverButtonProps>;
  /** The sheet that the buttons open, once a page. */
  Handover: ComponentType<StepProps>;
  PayButton: ComponentType<{ view: PackageView; payment: Payment; isSender: boolean }>;
  PaymentCard: ComponentType<{ view: PackageView; payment: Payment; isPayInBar: boolean }>;
  /** After the end: confirm, report a problem, settle one. */
  EndCard: ComponentType<Omit<StepProps, 'actor'>>;
  AssignButton: ComponentType<DispatchProps>;
  /** `children`: further actions apart, below a dispatcher's own. */
  DispatchCard: ComponentType<DispatchProps & { children: ReactNode }>;
}
