package stdlib

import (
	gostrings "strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// secrets is the module Secret. Its functions put secrets together without
// knowing their texts.
func secrets() []*program.Builtin {
	secret := typ("Secret", program.SecretType)
	s := param("secret", secret)
	return []*program.Builtin{
		{Module: "Secret", Name: "get", Params: params(param("name", stringType())), Effect: program.Performs, Result: secret,
			Doc: "Gives a secret by its name. Its text is put in where a call uses it: no script, journal or log ever has it.", Example: `perform Secret.get("stripe")`},
		{Module: "Secret", Name: "hmac", Params: params(s, param("text", stringType()), named("algorithm", stringType()), named("encoding", stringType())),
			Effect: program.Performs, Result: stringType(),
			Doc:     "Signs a text with a secret: HMAC with `sha256` (or `sha1`, `sha512`) in `hex` (or `base64`).",
			Example: `perform Secret.hmac(s, "the body")`},
		{Module: "Secret", Name: "bearer", Params: params(s), Result: secret, Fn: secretBearer,
			Doc: "Makes the value of an Authorization header: `Bearer` and the secret.", Example: `Secret.bearer(s) == Secret.join("Bearer ", s)`},
		{Module: "Secret", Name: "basic", Params: params(param("user", anyType()), s), Result: secret, Fn: secretBasic,
			Doc: "Makes the value of an Authorization header from a user, who may be a secret too, and a password.", Example: `Secret.basic("ann", s) == Secret.join(Secret.basic("ann", s))`},
		{Module: "Secret", Name: "join", Params: params(param("part", anyType())), Rest: true, Result: secret, Fn: secretJoin,
			Doc: "Puts secrets and texts together, one behind the other; what comes of it is a secret.", Example: `Secret.join("Bearer ", s) == Secret.bearer(s)`},
	}
}

func secretBearer(_ program.Caller, args []value.Value) (value.Value, error) {
	return joined("Secret.bearer", value.String("Bearer "), args[0])
}

func secretBasic(_ program.Caller, args []value.Value) (value.Value, error) {
	if user, ok := args[0].AsString(); ok {
		if gostrings.Contains(user, ":") {
			return value.Nil, errorf("bad_argument", "the user of Secret.basic cannot have a colon in it")
		}
	}
	parts, err := secretParts("Secret.basic", []value.Value{args[0], value.String(":"), args[1]})
	if err != nil {
		return value.Nil, err
	}
	return value.NewSecret(value.SecretPart{Kind: value.SecretText, Text: "Basic "}, value.SecretPart{Kind: value.SecretBase64, Parts: parts})
}

func secretJoin(_ program.Caller, args []value.Value) (value.Value, error) {
	return joined("Secret.join", args...)
}

func joined(fn string, vs ...value.Value) (value.Value, error) {
	parts, err := secretParts(fn, vs)
	if err != nil {
		return value.Nil, err
	}
	return value.NewSecret(parts...)
}

// secretParts lists the parts of secrets and texts.
func secretParts(fn string, vs []value.Value) ([]value.SecretPart, error) {
	var parts []value.SecretPart
	for _, v := range vs {
		s, isSecret := v.AsSecret()
		text, isText := v.AsString()
		switch {
		case isSecret:
			parts = append(parts, s.Parts...)
		case isText:
			parts = append(parts, value.SecretPart{Kind: value.SecretText, Text: text})
		default:
			return nil, wrongKind(fn, "secrets and Strings", v)
		}
	}
	return parts, nil
}
