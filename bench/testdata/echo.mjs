// The smallest MCP server over streamable HTTP that the TypeScript SDK makes: one
// session, answers as plain JSON, no web framework around it. It says where it
// listens on its stdout.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'echo', version: '1' });
server.registerTool('echo', { description: 'says it again', inputSchema: { text: z.string() } }, async ({ text }) => ({
  content: [{ type: 'text', text }],
}));
const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, enableJsonResponse: true });
await server.connect(transport);

const http = createServer((request, response) => transport.handleRequest(request, response));
http.listen(0, '127.0.0.1', () => console.log(`127.0.0.1:${http.address().port}`));
