/** What is awaited at `passed` goes on once somebody calls `open`. */
export function barrier() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
