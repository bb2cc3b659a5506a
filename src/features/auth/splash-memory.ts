/** Whether the splash was shown in this session: of the browser's tab, and where that keeps nothing of the page. */
const key = 'splashSeen';
let isSeenByPage = false;

export const splashMemory = {
  isSeen(): boolean {
    if (isSeenByPage) return true;
    try {
      return sessionStorage.getItem(key) !== null;
    } catch {
      // Blocked together with the cookies.
      return false;
    }
  },
  setSeen(): void {
    isSeenByPage = true;
    try {
      sessionStorage.setItem(key, 'true');
    } catch {
      // The page remembers it for as long as it lives.
    }
  },
};
