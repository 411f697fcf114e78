{{/* The folder of this run: each revision of the release is another run. */}}
{{- define "tabletop.run" -}}
/shared/{{ .Release.Name }}-{{ .Release.Revision }}
{{- end }}

{{- define "tabletop.claim" -}}
{{ .Values.folder.existingClaim | default (printf "%s-folder" .Release.Name) }}
{{- end }}

{{- define "tabletop.target" -}}
{{ .Values.target | default (printf "url=http://%s-emulator:8000" .Release.Name) }}
{{- end }}

{{/* The labels of a part, given as a list of the context and the part's name. */}}
{{- define "tabletop.labels" -}}
{{- $context := index . 0 -}}
app.kubernetes.io/name: tabletop-loadtest
app.kubernetes.io/instance: {{ $context.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "tabletop.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "tabletop.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}
