import { schemaResolver, type FormErrors } from '@mantine/form'

type Schema = Parameters<typeof schemaResolver>[0]

/** A form's validation whose schema, and zod with it, is loaded when it is first needed. */
export function lazySchemaResolver(load: () => Promise<Schema>) {
  return async (values: unknown): Promise<FormErrors> =>
    schemaResolver(await load(), { sync: true })(values)
}
