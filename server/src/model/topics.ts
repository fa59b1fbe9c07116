/** A subject of the topic tree. `parentId` is null at a root; `slug` is unique. */
export interface Topic {
  id: string
  slug: string
  name: string
  description: string | null
  parentId: string | null
}
