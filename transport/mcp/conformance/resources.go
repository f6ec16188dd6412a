package conformance

import (
	"context"
	"fmt"
	"strings"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type contents = []protocol.ResourceContents

func resources(s *server.MCPServer) {
	for name, c := range map[string]protocol.ResourceContents{
		"static-text":      protocol.TextResourceContents{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."},
		"static-binary":    protocol.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: picture},
		"watched-resource": protocol.TextResourceContents{URI: "test://watched-resource", MIMEType: "text/plain", Text: "Watched."},
	} {
		s.AddResource(protocol.NewResource("test://"+name, name), func(context.Context, protocol.ReadResourceRequest) ([]protocol.ResourceContents, error) {
			return contents{c}, nil
		})
	}
	s.AddResourceTemplate(protocol.NewResourceTemplate("test://template/{id}/data", "template", protocol.WithTemplateMIMEType("application/json")),
		func(_ context.Context, r protocol.ReadResourceRequest) ([]protocol.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
			return contents{protocol.TextResourceContents{
				URI: r.Params.URI, MIMEType: "application/json",
				Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":%q}`, id, "Data for ID: "+id),
			}}, nil
		})
}
