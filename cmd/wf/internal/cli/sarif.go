package cli

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

// The parts of SARIF 2.1.0 that are used: the format in which code hosts and
// editors take over what a checker has found.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
		Full  sarifText `json:"fullDescription"`
		Help  sarifText `json:"help"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		Message  *sarifText    `json:"message,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// sarifOf is the document of some diagnostics; its rules are the whole registry.
func sarifOf(all []finding) sarifLog {
	rules := []sarifRule{}
	index := map[diag.Code]int{}
	for i, e := range diag.All() {
		index[e.Code] = i
		why := strings.TrimSpace(e.Why)
		rules = append(rules, sarifRule{ID: string(e.Code), Short: sarifText{e.Title}, Full: sarifText{why},
			Help: sarifText{"Wrong:\n\n" + diag.Shown(e.Wrong) + "\nRight:\n\n" + diag.Shown(e.Right)}})
	}
	results := []sarifResult{}
	for _, f := range all {
		results = append(results, resultOf(f, index[f.d.Code]))
	}
	driver := sarifDriver{Name: "wf", Version: versionOf().Version, Rules: rules}
	return sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: results}},
	}
}

func resultOf(f finding, rule int) sarifResult {
	text := f.d.Message
	if f.d.Help != "" {
		text += "\n" + f.d.Help
	}
	out := sarifResult{RuleID: string(f.d.Code), RuleIndex: rule, Level: f.d.Severity.String(), Message: sarifText{text},
		Locations: []sarifLocation{{Physical: physicalOf(f.set, f.d.Span)}}}
	for _, l := range f.d.Labels {
		out.Related = append(out.Related, sarifLocation{&sarifText{l.Text}, physicalOf(f.set, l.Span)})
	}
	if len(f.d.Fixes) > 0 {
		out.Fixes = []sarifFix{fixOf(f)}
	}
	return out
}

// fixOf is the fix of a diagnostic; all of its replacements belong together.
func fixOf(f finding) sarifFix {
	fix := sarifFix{Description: sarifText{f.d.Help}}
	if f.d.Help == "" {
		fix.Description.Text = f.d.Message
	}
	for _, r := range f.d.Fixes {
		at := physicalOf(f.set, r.Span)
		if n := len(fix.Changes); n == 0 || fix.Changes[n-1].Artifact != at.Artifact {
			fix.Changes = append(fix.Changes, sarifChange{Artifact: at.Artifact})
		}
		last := &fix.Changes[len(fix.Changes)-1]
		last.Replacements = append(last.Replacements, sarifReplacement{at.Region, sarifText{r.Text}})
	}
	return fix
}

func physicalOf(set *source.Set, s source.Span) sarifPhysical {
	p := placeOf(set, s)
	return sarifPhysical{sarifArtifact{uriOf(p.File)}, sarifRegion{p.Line, p.Column, p.EndLine, p.EndColumn}}
}

// uriOf is the name of a file as a URI: relative if the name is.
func uriOf(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}
