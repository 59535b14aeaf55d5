/** What CDKTF or CDK Terrain renders for one stack, to be read with the other stacks of its app. */
export interface TerraformStackInput {
  /** Id of the stack, by which the manifest lists it. */
  readonly name: string;
  /** Path of its construct; other stacks name its state by that. */
  readonly constructPath: string;
  /** The output folder of its app. */
  readonly app: string;
  /** Path as it should appear in reports. */
  readonly file: string;
  /** The configuration in Terraform's JSON syntax, as an object. */
  readonly content: unknown;
  /**
   * The folder that the stack was written to, with its assets.
   * @default - the one of `file`
   */
  readonly writtenTo?: string;
}
