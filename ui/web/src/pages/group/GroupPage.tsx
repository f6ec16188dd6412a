import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Boxes, Plus, SearchX, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { line } from '../../live/line.ts';
import { get } from '../../live/rest.ts';
import { store, useLive, useVersion } from '../../live/store.ts';
import { type Agent, type Group, isFinal } from '../../live/words.ts';
import { Moment } from '../../parts/Clock.tsx';
import { Copy, CopyCommand } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { FormBox } from '../../parts/FormBox.tsx';
import { RunAgent } from '../../parts/RunAgent.tsx';
import { Status } from '../../parts/Status.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { groupRoute } from '../../router.tsx';
import { Files, fileCount } from '../agent/Files.tsx';
import { Card } from '../stage/Card.tsx';
import { Progress } from '../stage/Head.tsx';
import type { Counts } from '../stage/layout.ts';
import { Gantt } from './Gantt.tsx';
import { Messages } from './Messages.tsx';
import { useWords } from './words.ts';

/** One group: who belongs to it, when they worked, and what they made. */
export function GroupPage() {
  const t = useT();
  const { id } = groupRoute.useParams();
  const known = useLive('groups', () => store.groups.get(id));
  useVersion('agents');
  const asked = useQuery({
    queryKey: ['group', id],
    queryFn: ({ signal }) => get<Group>(`/groups/${encodeURIComponent(id)}`, signal),
    enabled: !known,
  });
  const group = known ?? asked.data;
  const agents = [...store.agents.values()].filter((a) => a.groupId === id);
  agents.sort((a, b) => (a.queuedAt < b.queuedAt ? -1 : 1));
  return (
    <main className="page" id="page">
      {group ? (
        <Seen group={group} agents={agents} />
      ) : asked.error ? (
        <Empty icon={SearchX} title={t.group.unknown(id)}>
          <Link className="btn" to="/">
            {t.nav.stage}
          </Link>
        </Empty>
      ) : (
        <p className="dim">{t.loading}</p>
      )}
    </main>
  );
}

const tabs = ['agents', 'timeline', 'messages', 'files', 'results'] as const;

function Seen({ group, agents }: { group: Group; agents: Agent[] }) {
  const t = useT();
  const w = useWords();
  const { tab } = groupRoute.useSearch();
  const navigate = groupRoute.useNavigate();
  const [box, setBox] = useState<'delete' | 'run' | null>(null);
  const counts: Counts = {};
  for (const a of agents) counts[a.status] = (counts[a.status] ?? 0) + 1;
  const open = agents.filter((a) => !isFinal(a.status)).length;
  const deleted = group.status === 'deleted';
  const run = {
    createdFiles: [...new Set(agents.flatMap((a) => a.run.createdFiles ?? []))],
    editedFiles: [...new Set(agents.flatMap((a) => a.run.editedFiles ?? []))],
    deletedFiles: [...new Set(agents.flatMap((a) => a.run.deletedFiles ?? []))],
  };
  return (
    <div className="stack">
      <header className="title">
        <span className="sigil">
          <Boxes size={20} aria-hidden />
        </span>
        <div className="names">
          <h2>{group.description || group.groupId}</h2>
          <span className="with faint">
            <span className="mono one">{group.groupId}</span>
            <Copy text={group.groupId} what={t.col.id} />
            <span className="small">
              <Moment at={group.createdAt} /> · {group.createdBy}
            </span>
          </span>
        </div>
        <span className="sp" />
        <Progress counts={counts} total={agents.length} />
        <div className="row">
          <CopyCommand text={`kurogo ps --group ${group.groupId}`} />
          {deleted ? (
            <Status s="deleted" />
          ) : (
            <>
              <button type="button" className="btn" onClick={() => setBox('run')}>
                <Plus size={14} aria-hidden />
                {t.run.verb}
              </button>
              <button
                type="button"
                className="btn danger"
                disabled={open > 0}
                title={open > 0 ? t.group.busy(open) : undefined}
                onClick={() => setBox('delete')}
              >
                <Trash2 size={14} aria-hidden />
                {t.group.remove}
              </button>
            </>
          )}
        </div>
      </header>
      {open > 0 && !deleted && <p className="sr">{t.group.busy(open)}</p>}
      <Tabs
        label={t.group.title}
        chosen={tabs.find((k) => k === tab) ?? 'agents'}
        choose={(k) => void navigate({ search: { tab: k }, replace: true })}
        tabs={[
          { key: 'agents', label: t.group.agents, n: agents.length, body: () => <Cards agents={agents} /> },
          { key: 'timeline', label: t.group.timeline, body: () => <Gantt agents={agents} /> },
          { key: 'messages', label: w.messages, body: () => <Messages group={group.groupId} /> },
          {
            key: 'files',
            label: t.agent.files,
            n: fileCount(run),
            body: () => <Files run={run} by={byFile(agents)} />,
          },
          { key: 'results', label: t.group.results, body: () => <Results agents={agents} /> },
        ]}
      />
      {box === 'run' && <RunAgent group={group.groupId} onClose={() => setBox(null)} />}
      {box === 'delete' && (
        <FormBox
          grave
          title={t.group.removeSure(group.description || group.groupId)}
          verb={t.group.remove}
          act={() => line.call('delete_group', { groupId: group.groupId })}
          onClose={() => setBox(null)}
        >
          <p className="dim">{t.group.removeWhy}</p>
        </FormBox>
      )}
    </div>
  );
}

/** byFile says which agents touched a file: where two did, somebody should look. */
function byFile(agents: Agent[]): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const a of agents) {
    for (const path of new Set([
      ...(a.run.createdFiles ?? []),
      ...(a.run.editedFiles ?? []),
      ...(a.run.deletedFiles ?? []),
    ])) {
      out.set(path, [...(out.get(path) ?? []), a.agentId]);
    }
  }
  return out;
}

function Cards({ agents }: { agents: Agent[] }) {
  const t = useT();
  if (agents.length === 0) return <p className="dim">{t.stage.emptyGroup}</p>;
  const stages = [...new Set(agents.map((a) => a.stage))].sort((a, b) => a - b);
  return stages.map((stage) => (
    <section key={stage} className="stack">
      {stages.length > 1 && <h3 className="dim">{t.group.stage(stage + 1)}</h3>}
      <div className="cards fill">
        {agents
          .filter((a) => a.stage === stage)
          .map((a) => (
            <Card key={a.agentId} id={a.agentId} />
          ))}
      </div>
    </section>
  ));
}

function Results({ agents }: { agents: Agent[] }) {
  const t = useT();
  const ended = agents.filter((a) => isFinal(a.status));
  if (ended.length === 0) return <p className="dim">{t.agent.notYet}</p>;
  return ended.map((a) => (
    <section key={a.agentId} className="panel">
      <header>
        <Status s={a.outcome ?? a.status} />
        <Link className="link mono" to="/agents/$id" params={{ id: a.agentId }} search={{ tab: 'result' }} data-item>
          {a.agentId}
        </Link>
      </header>
      <p className="in text">{a.run.error || a.run.lastAssistantMessage}</p>
    </section>
  ));
}
