// What is played in the house of a test: two groups and a task.

/** rolesKnown waits until it is known of every role whether it can be run. */
export const rolesKnown = (house) =>
  house.until(
    async () => (await house.api('/roles')).roles.every((r) => r.healthCheck.status !== 'checking'),
    'the roles',
  );

/** play asks for it and waits until it stands still: some have ended, some run on. */
export async function play(house) {
  await rolesKnown(house);
  const mend = await house.api('/groups', { description: 'Mend the curtain before the evening' });
  const read = await house.api('/groups', { description: 'Read the whole house' });
  const task = await house.api('/tasks', { content: 'Sew me a noren, a shop curtain for the terminal.' });
  await house.api(`/groups/${mend.groupId}/agents`, {
    agents: [
      { role: 'impl-code', prompt: 'Mend the width of wide characters, and write it into the manual.' },
      { role: 'code-review', prompt: 'Look over the curtain.' },
      { role: 'text-review', prompt: 'Weigh the words of the manual.' },
      { role: 'impl-test', prompt: 'Climb the rope and fall.' },
    ],
  });
  await house.until(async () => {
    const { agents } = await house.api(`/groups/${mend.groupId}/agents`);
    return agents.every((a) => a.outcome) && agents.some((a) => a.status === 'result_reported');
  }, 'the first group to end');
  await house.api(`/groups/${read.groupId}/agents`, {
    agents: [
      { role: 'research', prompt: 'Take a long look at everything.' },
      { role: 'code-review', prompt: 'A long review.' },
      { role: 'impl-test', prompt: 'A long test.', timeout_ms: 2500 },
      { role: 'text-review', prompt: 'Long words.' },
      { role: 'research', prompt: 'Another long look.' },
    ],
  });
  await house.until(async () => {
    const { agents } = await house.api(`/groups/${read.groupId}/agents`);
    return agents.some((a) => a.status === 'timed_out') && agents.filter((a) => a.toolCallCount >= 3).length >= 4;
  }, 'the second group to be at work');
  await house.until(
    async () => (await house.api(`/tasks/${task.taskId}`)).status === 'completed',
    'the task to be done',
  );
  const agents = (await house.api('/agents')).agents;
  const of = (role, group) => agents.find((a) => a.role === role && a.groupId === group.groupId);
  return {
    mend,
    read,
    task,
    mended: of('impl-code', mend),
    fallen: of('impl-test', mend),
    reading: of('research', read),
  };
}

/** pages is every address that a person can be at. */
export const pages = ({ mend, task, mended, reading, fallen }) => ({
  stage: '/',
  'stage-table': '/?view=table',
  'agent-live': `/agents/${reading.agentId}`,
  agent: `/agents/${mended.agentId}`,
  'agent-tools': `/agents/${mended.agentId}?tab=tools`,
  'agent-files': `/agents/${mended.agentId}?tab=files`,
  'agent-raw': `/agents/${mended.agentId}?tab=raw`,
  'agent-failed': `/agents/${fallen.agentId}`,
  'agent-unknown': '/agents/nobody-1-a',
  group: `/groups/${mend.groupId}`,
  'group-timeline': `/groups/${mend.groupId}?tab=timeline`,
  'group-messages': `/groups/${mend.groupId}?tab=messages`,
  'group-files': `/groups/${mend.groupId}?tab=files`,
  'group-results': `/groups/${mend.groupId}?tab=results`,
  tasks: '/tasks',
  task: `/tasks/${task.taskId}`,
  'task-messages': `/tasks/${task.taskId}?tab=messages`,
  flow: `/flow?task=${task.taskId}`,
  'flow-list': `/flow?task=${task.taskId}&view=list`,
  roles: '/roles?role=foreign-review',
  health: '/health',
  history: '/history?by=group',
  peek: `/history?peek=${mended.agentId}`,
  actors: '/actors',
  settings: '/settings',
  nowhere: '/nowhere',
});

/** settled waits until a page has what it shows. */
export async function settled(page) {
  await page.locator('.live[data-tone="good"]').waitFor();
  await page.locator('main#page').waitFor();
  await page.waitForFunction(
    () => !/Reading…|読み込み中…/.test(document.querySelector('main')?.textContent ?? 'Reading…'),
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
