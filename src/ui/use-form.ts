import { useState } from 'react';

/** What is wrong: sentences by field, and one of the whole form. `{}`: nothing. */
export interface Complaint {
  fields?: Readonly<Record<string, string>> | undefined;
  message?: string | undefined;
}

interface FormOptions<Values> {
  values: Values;
  onChange(values: NoInfer<Values>): void;
  /** What the form opens with. */
  complaint?: Complaint;
  /**
   * Checks the values and sends them. Resolves with what is wrong, after which the form can be sent
   * again, or with null once it is done: then it stays busy until the screen takes it away.
   */
  submit(): Promise<Complaint | null>;
}

const none: Readonly<Record<string, string>> = {};

/** The way of every form: check, send once at a time, complain at the fields. */
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
    /** Of `Form`. */
    props: { onSubmit: () => void onSubmit(), errors, message: complaint.message },
    /** Of a field of this name. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      onChange: (value: string) => onChange({ ...values, [name]: value }),
      error: errors[name],
    }),
  };
}
