import { useState } from 'react';

/** Errors by field, and one of the whole form. `{}`: none. */
export interface Complaint {
  fields?: Readonly<Record<string, string>> | undefined;
  message?: string | undefined;
}

interface FormOptions<Values> {
  values: Values;
  onChange(values: NoInfer<Values>): void;
  complaint?: Complaint;
  /**
   * Validates and sends. Resolves with errors, after which the form can be submitted again, or with
   * null when done: the form then stays busy until it unmounts.
   */
  submit(): Promise<Complaint | null>;
}

const none: Readonly<Record<string, string>> = {};

/** Form state shared by all forms: validate, submit once at a time, show errors at the fields. */
export function useForm<Values>({ values, onChange, submit, ...options }: FormOptions<Values>) {
  const [complaint, setComplaint] = useState<Complaint>(options.complaint ?? {});
  const [isBusy, setIsBusy] = useState(false);
  const errors = complaint.fields ?? none;

  const onSubmit = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setComplaint({});
    const found = await submit();
    if (found === null) return;
    setComplaint(found);
    setIsBusy(false);
  };

  return {
    errors,
    isBusy,
    complain: setComplaint,
    props: { onSubmit: () => void onSubmit(), errors, message: complaint.message },
    /** As a control takes it; a value keeps its type. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      onChange: (value: Values[Name]) => onChange({ ...values, [name]: value }),
      error: errors[name],
    }),
  };
}
