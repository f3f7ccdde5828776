const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const JPEG =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=";
const WEBP = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>';

/** A small valid file of an image type; for SVG one with a script. */
export function pictureOf(type: string): Buffer {
  switch (type) {
    case "image/svg+xml":
      return Buffer.from(SVG);
    case "image/gif":
      return Buffer.from(GIF, "base64");
    case "image/jpeg":
    case "image/jpg":
      return Buffer.from(JPEG, "base64");
    case "image/webp":
      return Buffer.from(WEBP, "base64");
    default:
      return Buffer.from(PNG, "base64");
  }
}
