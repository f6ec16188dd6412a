import { dictionary } from '../i18n/index.ts';
import { callMe, useStanding } from './notify.ts';

const en = {
  label: 'Call me when something ends or waits for me',
  why: 'By this browser, while you look elsewhere. For other places there is [notify] in kurogo.toml.',
  denied: 'The browser does not allow it for this address.',
  impossible: 'This browser cannot.',
};

const ja: typeof en = {
  label: '完了・失敗・承認待ちを通知する',
  why: 'この画面を見ていない間に、ブラウザが知らせます。ほかの場所への通知は kurogo.toml の [notify] で設定します。',
  denied: 'このアドレスの通知はブラウザで許可されていません。',
  impossible: 'このブラウザは通知に対応していません。',
};

const useWords = dictionary({ en, ja });

/** Whether this browser calls its person. It is off until he says so. */
export function Notices() {
  const w = useWords();
  const s = useStanding();
  return (
    <>
      <label className="switch">
        {w.label}
        <input
          type="checkbox"
          checked={s === 'on'}
          disabled={s === 'denied' || s === 'impossible'}
          onChange={(e) => void callMe(e.target.checked)}
        />
      </label>
      <p className="faint small">{s === 'denied' || s === 'impossible' ? w[s] : w.why}</p>
    </>
  );
}
