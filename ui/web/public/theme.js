// Before the first paint: the theme and the language that were chosen last, so
// that a dark room does not flash white. A theatre is dark until somebody turns
// on the light.
(() => {
  const root = document.documentElement;
  let said = {};
  try {
    said = JSON.parse(localStorage.getItem('kurogo') || '{}');
  } catch {
    // somebody else wrote there, or nobody may
  }
  root.dataset.theme = said.theme === 'light' ? 'light' : 'dark';
  root.lang = said.lang === 'ja' || said.lang === 'en' ? said.lang : navigator.language.startsWith('ja') ? 'ja' : 'en';
  if (said.motion === 'off') root.dataset.motion = 'off';
})();
